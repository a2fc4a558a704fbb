import { Drawing } from '../icon.tsx';

/** Drawings of what people sign in with; apart from the others, because the small entries need none of them. */
const drawings = {
  computer:
    'M3.4 2.8h9.2a1.2 1.2 0 0 1 1.2 1.2v5.6a1.2 1.2 0 0 1-1.2 1.2H3.4a1.2 1.2 0 0 1-1.2-1.2V4a1.2 1.2 0 0 1 1.2-1.2M1.5 13.4h13',
  key: 'M8.6 5.6a3 3 0 1 1-6 0 3 3 0 0 1 6 0M7.8 7.8l5.7 5.7M13.4 13.4l1.2-1.2M10.7 10.7l1.3-1.3',
  person: 'M10.8 5a2.8 2.8 0 1 1-5.6 0 2.8 2.8 0 0 1 5.6 0M2.8 13.8c.6-2.8 2.6-4 5.2-4s4.6 1.2 5.2 4',
  phone:
    'M5.2 1.6h5.6a1.2 1.2 0 0 1 1.2 1.2v10.4a1.2 1.2 0 0 1-1.2 1.2H5.2A1.2 1.2 0 0 1 4 13.2V2.8a1.2 1.2 0 0 1 1.2-1.2M7.2 12.2h1.6',
} as const;

export type DeviceIconName = keyof typeof drawings;

/** Decoration only, as all icons. */
export const DeviceIcon = ({
  name,
  large = false,
}: {
  readonly name: DeviceIconName;
  readonly large?: boolean;
}) => <Drawing path={drawings[name]} large={large} />;
