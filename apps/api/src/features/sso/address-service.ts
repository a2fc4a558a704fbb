/** Whether an address leads to this machine, where plain http shows nothing to anybody. */
const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);

/** Whether a provider may be spoken to at this address: by https, or by http on this machine. */
export const isSpeakable = (url: URL): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
