import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { RenderQueue } from '../../src/ui/render-queue.ts';

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
afterEach(() => mock.reset());

describe('a batch of renderings', () => {
  it('runs to the end though one throws', () => {
    const log = mock.method(console, 'error', () => {});
    const queue = new RenderQueue();
    const rendered: string[] = [];
    for (const numero of ['1', '2', '3']) {
      queue.setOffScreen(numero, true);
      queue.add(() => {
        if (numero === '2') throw new Error('broken');
        rendered.push(numero);
      }, numero);
    }
    mock.timers.tick(100);
    assert.deepEqual(rendered, ['1', '3']);
    assert.equal(log.mock.callCount(), 1);
  });

  it('renders each component once', () => {
    const queue = new RenderQueue();
    queue.setOffScreen('1', true);
    let count = 0;
    const render = () => {
      count += 1;
    };
    for (let push = 0; push < 5; push += 1) queue.add(render, '1');
    mock.timers.tick(100);
    assert.equal(count, 1);
  });

  it('skips removed components', () => {
    const queue = new RenderQueue();
    queue.setOffScreen('1', true);
    const render = () => assert.fail('it has left');
    queue.add(render, '1');
    queue.delete(render);
    mock.timers.tick(100);
  });
});
