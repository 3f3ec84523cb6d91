import { svg } from './dom.js';

const line = (d, more) => ({ d, class: 'line', ...more });

export const phoneIcon = () =>
  svg(
    '0 0 24 24',
    'icon',
    line('M8 2.500h8a2 2 0 0 1 2 2v15a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2v-15a2 2 0 0 1 2-2zM11 18.500h2'),
  );

export const chevron = () => svg('0 0 24 24', 'icon chevron', line('M15 5l-7 7 7 7'));

/** Signal bars; the style sheet empties them while the phone is offline. */
export const signal = () =>
  svg(
    '0 0 34 12',
    'signal',
    ...[9, 6, 3, 0].map((top, index) => ({
      d: `M${index * 4} ${top}h2.600v${12 - top}h-2.600z`,
      class: 'bar',
    })),
    {
      d: 'M20 2h10a1.500 1.500 0 0 1 1.500 1.500v5a1.500 1.500 0 0 1-1.500 1.500H20a1.500 1.500 0 0 1-1.500-1.500v-5A1.500 1.500 0 0 1 20 2z',
      class: 'battery',
    },
    { d: 'M20 3.500h7.500v5H20zM32.300 4.500h1v3h-1z', class: 'bar' },
  );

export const cameraCorners = () => svg('0 0 96 96', 'camera-corners', line(CORNERS));

export const check = () => svg('0 0 24 24', 'camera-check', line('M7 12.500l3.500 3.500 7-8'));

const CORNERS =
  'M4 22V9a5 5 0 0 1 5-5h13M74 4h13a5 5 0 0 1 5 5v13M92 74v13a5 5 0 0 1-5 5H74M22 92H9a5 5 0 0 1-5-5V74';

const CODE =
  'M30 30h14v14H30zM52 30h14v14H52zM30 52h14v14H30zM52 52h6v6h-6zM60 60h6v6h-6zM52 62h4v4h-4zM62 52h4v4h-4z';

/** Any code, where the one on the panel is not drawn. */
export const anyCode = () => svg('22 22 52 52', 'camera-code', { class: 'fill', d: CODE });

const SCENES = {
  viewfinder: () => [
    line(
      'M14 30V18a4 4 0 0 1 4-4h12M66 14h12a4 4 0 0 1 4 4v12M82 66v12a4 4 0 0 1-4 4H66M30 82H18a4 4 0 0 1-4-4V66',
    ),
    { class: 'fill', d: CODE },
  ],
  asleep: () => [
    line('M66 56a25 25 0 1 1-27-34 20 20 0 0 0 27 34z'),
    line('M62 18h14L62 34h14M80 42h8l-8 9h8'),
  ],
  chat: () => [
    line('M20 22h42a8 8 0 0 1 8 8v18a8 8 0 0 1-8 8H38L24 67V56h-4a8 8 0 0 1-8-8V30a8 8 0 0 1 8-8z'),
    line('M78 40h2a6 6 0 0 1 6 6v18a6 6 0 0 1-6 6h-2v8l-10-8H54'),
    line('M26 34h30M26 44h18'),
  ],
  noLine: () => [
    line('M14 42a51 51 0 0 1 68 0M27 55a32 32 0 0 1 42 0M39 68a14 14 0 0 1 18 0M48 79v1'),
    line('M20 20l56 60', { class: 'line strike' }),
  ],
};

/** Returns the drawing on the screen of a phone without messages. */
export function sceneOf(name) {
  const node = svg('0 0 96 96', 'scene', ...SCENES[name]());
  node.dataset.scene = name;
  return node;
}
