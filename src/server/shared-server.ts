/** One connection, and one list at a time, for the panels of a page that show one session each. */
import type { News, Tell } from './connection.ts';
import type { Result, Server, Token } from './server.ts';

type GetToken = () => Token | undefined;

interface Member {
  readonly numero: string;
  readonly token: GetToken;
  /** Undefined until its store is complete. */
  tell?: Tell;
}

const all = new Set<ReturnType<typeof share>>();

/**
 * Joins the panels that have the same address and token; the first creates the server for those to come.
 *
 * @param create - takes the function that returns the token
 */
export function joinServer(address: string, member: Member, create: (token: GetToken) => Server): Server {
  const token = member.token();
  // The connection is that of the first token, and what is asked, that of the latest: both are to be its own.
  const known = [...all].find(
    (one) => one.address === address && one.first === token && one.token() === token,
  );
  const shared = known ?? share(address, token, create);
  all.add(shared);
  return shared.join(member);
}

function share(address: string, first: Token | undefined, create: (token: GetToken) => Server) {
  const members = new Set<Member>();
  /** The last news of each kind that is about no session, for panels that join later. */
  const told = new Map<string, News>();
  /** That of any of them: they had the same, and may have a newer one. */
  const token = () => [...members].at(-1)?.token();
  const server = create(token);
  let leave: (() => void) | undefined;
  let load:
    | {
        readonly answer: Promise<Result>;
        readonly controller: AbortController;
        /** The sessions that something was pushed of since it was requested. */
        readonly pushed: Set<string>;
      }
    | undefined;
  /** Of the lists that have not come, of which the last panel that leaves ends each. */
  const loads = new Set<AbortController>();

  function hear(news: News): void {
    if (news.type === 'connection' && news.connected) {
      // A list that was requested before a connection may lack what was pushed to nobody.
      load = undefined;
      // An announcement follows each connection: panels that join later must not have one that is no longer made.
      told.clear();
    }
    if ('numero' in news) load?.pushed.add(news.numero);
    else told.set(news.type, news);
    for (const { numero, tell } of members) if (!('numero' in news) || news.numero === numero) tell?.(news);
  }

  const shared = {
    address,
    first,
    token,
    join(member: Member): Server {
      const { numero } = member;
      members.add(member);
      // What was pushed since it was requested, nobody has kept for this one.
      if (load?.pushed.has(numero)) load = undefined;
      return {
        numero,
        async call(name, about, body, signal) {
          if (name !== 'fetch') return server.call(name, about, body, signal);
          if (!load) {
            const controller = new AbortController();
            loads.add(controller);
            const answer = server
              .call(name, about, body, controller.signal)
              .finally(() => loads.delete(controller));
            load = { answer, controller, pushed: new Set() };
            for (const other of members) if (other !== member) other.tell?.({ type: 'loading' });
          }
          const own = load;
          const end = () => {
            if (load === own) load = undefined;
          };
          signal.addEventListener('abort', () => {
            // Others still wait for what a panel that leaves has asked for.
            if (!members.has(member)) return;
            end();
            own.controller.abort(signal.reason);
          });
          const { list } = await own.answer.finally(end);
          return { list: list?.filter(({ session }) => session.numero === numero) };
        },
        connect(tell) {
          queueMicrotask(() => {
            member.tell = tell;
            if (members.has(member)) for (const news of told.values()) tell(news);
          });
          leave ??= server.connect(hear);
          return () => {
            members.delete(member);
            if (members.size > 0) return;
            leave?.();
            for (const controller of loads) controller.abort();
            all.delete(shared);
          };
        },
      };
    },
  };
  return shared;
}
