import '../theme/theme.css';
import { openPage } from '../features/public-pay/link/open-page.ts';
import { PayPage } from '../features/public-pay/pay-page.tsx';
import { mountPage } from '../lib/page/mount-page.tsx';

const root = document.getElementById('root');
if (root) {
  const { shell, onShown, kept, part } = openPage(root.hasChildNodes());
  mountPage(
    root,
    <PayPage flow={shell} outcomes={shell.outcomes} {...{ onShown, kept, part }} />,
    kept === undefined,
  );
}
