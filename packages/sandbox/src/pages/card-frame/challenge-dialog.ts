/** Shows the bank's challenge in a dialog over the page. */

/**
 * @param url address of the challenge on the sandbox
 * @returns whether the cardholder answered; `false` when the dialog was closed instead
 */
export function challenge(url: string, origin: string): Promise<boolean> {
  return new Promise((resolve) => {
    const dialog = document.createElement('dialog');
    dialog.setAttribute('aria-label', 'Card authentication');
    Object.assign(dialog.style, {
      border: '0',
      padding: '0',
      width: 'min(30rem, 100vw)',
      height: 'min(34rem, 100vh)',
      borderRadius: '8px',
      overflow: 'hidden',
    });
    const frame = document.createElement('iframe');
    frame.title = 'Card authentication';
    frame.src = url;
    Object.assign(frame.style, { border: '0', width: '100%', height: '100%' });
    dialog.append(frame);
    const finish = (answered: boolean): void => {
      window.removeEventListener('message', heard);
      dialog.remove();
      resolve(answered);
    };
    const heard = (event: MessageEvent<{ readonly sandbox?: string } | null>): void => {
      const ours = event.origin === origin && event.source === frame.contentWindow;
      if (ours && event.data?.sandbox === 'challenge-done') finish(true);
    };
    window.addEventListener('message', heard);
    dialog.addEventListener('close', () => finish(false));
    document.body.append(dialog);
    dialog.showModal();
  });
}
