import type { Server, Socket } from 'socket.io';

type EngineConnection = Socket['conn'];

/** Most data that may wait for a client to read it, in characters. */
const LIMIT = 1_000_000;
/** How often each connection is checked, in milliseconds; a client has at least that long to catch up. */
const LOOK_EVERY = 2_500;

/**
 * Closes the connection of each slow consumer, a client that does not read its data fast enough: Engine.IO queues
 * everything for as long as the client answers its pings. A panel reconnects by itself and fetches the list.
 *
 * A burst is no reason to close: the codes of 5,000 sessions are 1.5 MB, which a line of 5 Mbit/s transfers between two
 * checks. A transfer longer than Engine.IO's ping timeout (20 s) would end the connection anyway, since the ping is
 * queued behind it.
 *
 * @returns a function that returns how many characters wait in all
 */
export function closeSlowConsumers({ engine }: Server): () => number {
  const backlogs = new Set<() => number>();
  engine.on('connection', (connection: EngineConnection) => {
    /** The data that Engine.IO queues, and the data that the transport has not written yet. */
    let held = 0;
    let handed = 0;
    let wasBehind = false;
    const backlog = () => held + handed;
    backlogs.add(backlog);
    const looks = setInterval(() => {
      const isBehind = backlog() > LIMIT;
      if (isBehind && wasBehind) connection.close(true);
      wasBehind = isBehind;
    }, LOOK_EVERY);

    connection.on('packetCreate', ({ data }: { data?: string }) => {
      held += data?.length ?? 0;
    });
    connection.on('flush', () => {
      handed = held;
      held = 0;
    });
    const watch = (transport: EngineConnection['transport']) => {
      transport.on('drain', () => {
        handed = 0;
      });
    };
    watch(connection.transport);
    connection.on('upgrade', watch);
    connection.once('close', () => {
      clearInterval(looks);
      backlogs.delete(backlog);
    });
  });
  return () => [...backlogs].reduce((sum, backlog) => sum + backlog(), 0);
}
