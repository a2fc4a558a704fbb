// The challenge has been answered inside a frame: tells the page that opened it. Nothing secret is in here.
if (window.parent !== window) window.parent.postMessage({ sandbox: 'challenge-done' }, '*');
