/** Does `task` for each item, for `atOnce` of them at the same time. Rejects with the first failure. */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  task: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const waiting = items.entries();
  const worker = async () => {
    for (const [index, item] of waiting) await task(item, index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
