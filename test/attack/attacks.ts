import type { Attack } from './attack.ts';
import { clock } from './clock.ts';
import { cluster } from './cluster.ts';
import { disk } from './disk.ts';
import { foreignPages } from './foreign-pages.ts';
import { frames } from './frames.ts';
import { inputs } from './inputs.ts';
import { kills } from './kills.ts';
import { packets } from './packets.ts';
import { requests } from './requests.ts';
import { servers } from './servers.ts';
import { sizes } from './sizes.ts';
import { slowConsumers } from './slow-consumers.ts';
import { soak } from './soak.ts';
import { users } from './users.ts';

/** In the order of `npm run attack`. */
export const ATTACKS: readonly Attack[] = [
  kills,
  disk,
  frames,
  foreignPages,
  requests,
  slowConsumers,
  servers,
  soak,
  packets,
  inputs,
  sizes,
  clock,
  cluster,
  users,
];
