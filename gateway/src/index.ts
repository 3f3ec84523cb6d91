export { createGateway, type Gateway, type GatewayOptions } from './gateway.ts';
export { createLogger, type LogLevel } from './log.ts';
