import { expect, it } from 'vitest';
import { imagePolicy } from './image-policy.ts';

const STRICT = "default-src 'none'; frame-ancestors 'none'; sandbox";
const svg = (text: string) => imagePolicy({ content_type: 'image/svg+xml', content: Buffer.from(text) });

it('lets a picture be a picture, whatever stands in it', () => {
  expect(imagePolicy({ content_type: 'image/png', content: Buffer.from('<style>a{}</style>') })).toBe(STRICT);
  expect(svg('<svg xmlns="http://www.w3.org/2000/svg"><rect fill="red"/></svg>')).toBe(STRICT);
});

it('names the styles of an SVG by their hashes, so that nothing else may be one', () => {
  // printf %s 'a{fill:red}' | openssl dgst -sha256 -binary | base64
  const hash = "'sha256-zf7Evw7iKLeJesyj1uvjjkNiBkQxgKqn3ejMJ3ORWW0='";
  const named = `default-src 'none'; frame-ancestors 'none'; style-src 'unsafe-hashes' ${hash}; sandbox`;
  expect(svg('<svg><style>a{fill:red}</style><style>a{fill:red}</style></svg>')).toBe(named);
  expect(svg('<svg><style type="text/css"><![CDATA[a{fill:red}]]></style></svg>')).toBe(named);
  expect(svg('<svg><g style="a{fill:red}"/></svg>')).toBe(named);
  expect(svg("<svg><g style = 'a{fill:red}'/></svg>")).toBe(named);
});
