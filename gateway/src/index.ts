export { createGateway, type Gateway } from './gateway.ts';
export type { GatewayOptions } from './gateway-options.ts';
export { createLogger, type LogLevel } from './log.ts';
