import '../theme/theme.css';
import { openPayFlow } from '../features/public-pay/open-pay-flow.ts';
import { PayPage } from '../features/public-pay/pay-page.tsx';
import { mountPage } from '../lib/mount-page.tsx';

const root = document.getElementById('root');
if (root) {
  const { flow, kept } = openPayFlow();
  mountPage(root, <PayPage flow={flow} kept={kept} />, kept === undefined);
}
