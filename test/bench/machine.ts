import { arch, cpus, platform, totalmem } from 'node:os';

/** What the numbers were measured on, in words that fit any machine. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return [
    `${cpus().length} cores (${cpu?.model.trim() || arch()})`,
    `${memory} GB`,
    platform(),
    `Node ${process.versions.node}`,
  ].join(', ');
}
