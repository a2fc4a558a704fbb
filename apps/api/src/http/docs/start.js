/* global SwaggerUIBundle */
const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#calls',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: -1,
  // Its colours are too pale on their ground.
  syntaxHighlight: false,
  // A token that was typed in is forgotten with the page.
  persistAuthorization: false,
  // The package would ask an address elsewhere whether the document is valid.
  validatorUrl: null,
});
