/**
 * For Rollup: React's client for the browser without what only other kinds of pages need, 9 kB. React has no switch for
 * it, and a bundler cannot know that these functions are never called: their bodies are left out. The build fails where
 * React has no function of that name any more, and all browser tests run on the built bundle too (`npm run
 * test:bundle`). Not needed once React ships a client that can be shaken.
 */
const NEVER_CALLED = [
  // <ViewTransition>, which the panel does not render.
  'applyViewTransitionName',
  'applyViewTransitionToHostInstances',
  'applyViewTransitionToHostInstancesRecursive',
  'commitAppearingPairViewTransitions',
  'commitDeletedPairViewTransitions',
  'commitEnterViewTransitions',
  'commitExitViewTransitions',
  'commitNestedViewTransitions',
  'createViewTransitionInstance',
  'getViewTransitionClassName',
  'getViewTransitionName',
  'measureNestedViewTransitions',
  'measureViewTransitionHostInstancesRecursive',
  'reportViewTransitionError',
  'restoreEnterOrExitViewTransitions',
  'restoreNestedViewTransitions',
  'restorePairedViewTransitions',
  'restoreViewTransitionName',
  'restoreViewTransitionOnHostInstances',
  'scheduleViewTransitionEvent',
  'startViewTransition',
  // Hydration: no server renders the inside of the element.
  'accumulateOrCreateContinuousQueuedReplayableEvent',
  'attemptContinuousHydration',
  'attemptExplicitHydrationTarget',
  'attemptHydrationAtCurrentPriority',
  'attemptReplayContinuousQueuedEvent',
  'canHydrateHydrationBoundary',
  'canHydrateInstance',
  'canHydrateTextInstance',
  'clearHydrationBoundary',
  'commitActivityHydrationCallbacks',
  'commitSuspenseHydrationCallbacks',
  'getHydratableHoistableCache',
  'getNextHydratable',
  'getNextHydratableInstanceAfterHydrationBoundary',
  'hideOrUnhideDehydratedBoundary',
  'mountHostRootWithoutHydrating',
  'popHydrationState',
  'prepareToHydrateHostInstance',
  'queueIfContinuousEvent',
  'registerSuspenseInstanceRetry',
  'replayUnblockedEvents',
  'retryActivityComponentWithoutHydrating',
  'retryIfBlockedOn',
  'retrySuspenseComponentWithoutHydrating',
  'scheduleReplayQueueIfNeeded',
  'throwOnHydrationMismatch',
  'updateDehydratedSuspenseComponent',
  'upgradeHydrationErrorsToRecoverable',
  // <link>, <script> and <style> that React hoists into the head, and <html>, <head> and <body>: the page's business.
  'acquireResource',
  'adoptPreloadPropsForScript',
  'adoptPreloadPropsForStylesheet',
  'commitHostSingletonAcquisition',
  'createHoistableInstance',
  'estimateBandwidth',
  'getResource',
  'insertStylesheet',
  'insertStylesheetIntoRoot',
  'insertSuspendedStylesheets',
  'isLikelyStaticResource',
  'mountHoistable',
  'preinitModuleScript',
  'preinitScript',
  'preinitStyle',
  'preload',
  'preloadModule',
  'preloadResourceAndSuspendIfNeeded',
  'preloadStylesheet',
  'releaseSingletonInstance',
  'resolveSingletonInstance',
  'suspendResource',
];

export const reactWithout = {
  name: 'react-without',
  transform(code, id) {
    if (!id.endsWith('/react-dom/cjs/react-dom-client.production.js')) return null;
    const functions = this.parse(code).body.filter(({ type }) => type === 'FunctionDeclaration');
    const bodies = new Map(functions.map((declared) => [declared.id.name, declared.body]));
    let left = code;
    for (const name of NEVER_CALLED) {
      const body = bodies.get(name);
      if (!body) this.error(`React has no function ${name} any more: look at what has become of it`);
      left = blank(left, body.start + 1, body.end - 1);
    }
    return { code: left, map: null };
  },
};

/** White space instead keeps every other line and column where it was. */
function blank(code, start, end) {
  return code.slice(0, start) + code.slice(start, end).replace(/\S/g, ' ') + code.slice(end);
}
