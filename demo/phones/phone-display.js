import { texts } from './texts.js';

/**
 * @typedef {'read' | 'scan' | 'typeCode' | 'scanOld' | 'signPasskey' | 'recoverLine' | 'loseLine' | 'unlink'} Action
 *
 * @typedef {object} PhoneDisplay
 * @property {'good' | 'busy' | 'bad' | 'rest'} tone
 * @property {'viewfinder' | 'asleep' | 'chat' | 'noLine'} scene - What is drawn while there are no messages.
 * @property {string} status
 * @property {string} hint - What to do or to expect.
 * @property {boolean} isNews - Whether the hint is shown beside messages too.
 * @property {Action[]} actions - What can be done with the phone now.
 */

/**
 * Returns what a phone shows. Pure.
 *
 * @param {import('./simulator.js').PhoneRecord} phone
 * @param {string | undefined} oldCode
 * @returns {PhoneDisplay}
 */
export function displayOf(phone, oldCode) {
  const display = displayOfState(phone, oldCode);
  const hasUnread = phone.online && phone.messages.some(({ read }) => !read);
  return hasUnread ? { ...display, actions: [...display.actions, 'read'] } : display;
}

function displayOfState(phone, oldCode) {
  if (phone.state === 'closing') {
    return { ...CHAT, tone: 'busy', status: texts.closing, hint: texts.hintClosing, actions: [] };
  }
  if (!phone.online) return withoutLine(phone);
  return phone.linked ? linked(phone) : unlinked(phone, oldCode);
}

const CHAT = { scene: 'chat', isNews: true };

function withoutLine({ linked }) {
  return {
    tone: 'bad',
    scene: 'noLine',
    status: texts.noLine,
    hint: linked ? texts.hintNoLine : '',
    isNews: true,
    actions: linked ? ['recoverLine', 'unlink'] : ['recoverLine'],
  };
}

function linked({ state, fault, stalled, reported, bannedUntil, restrictedUntil }) {
  if (bannedUntil !== null) {
    const hint = texts.hintBanned(bannedUntil);
    return { ...CHAT, tone: 'busy', scene: 'asleep', status: texts.banned, hint, actions: ['unlink'] };
  }
  switch (state) {
    case 'connected': {
      const phone = { ...CHAT, actions: ['loseLine', 'unlink'] };
      if (reported !== null) {
        return { ...phone, tone: 'busy', status: reported, hint: texts.hintReported };
      }
      if (fault === 'zombie') {
        return { ...phone, tone: 'busy', status: texts.silent, hint: texts.hintSilent };
      }
      if (restrictedUntil !== null) {
        const hint = texts.hintRestricted(restrictedUntil);
        return { ...phone, tone: 'busy', status: texts.restricted, hint };
      }
      const hint = texts.hintConnected;
      return { ...phone, tone: 'good', status: texts.connected, hint, isNews: false };
    }
    case 'off':
      return {
        ...CHAT,
        tone: 'rest',
        scene: 'asleep',
        status: texts.linkedOff,
        hint: texts.hintLinkedOff,
        actions: ['unlink'],
      };
    default: {
      const stalledHint = fault === 'dead-keys' ? texts.hintDeadKeys : texts.hintStalledOpening;
      const hint = stalled ? stalledHint : texts.hintLinking;
      const status = state === 'linking' ? texts.linking : texts.connecting;
      const actions = stalled || state !== 'linking' ? ['unlink'] : [];
      return { ...CHAT, tone: 'busy', status, hint, isNews: stalled, actions };
    }
  }
}

function unlinked({ state, code, passkey, fault, stalled, reported }, oldCode) {
  const status = reported ?? texts.unlinked;
  const rest = { tone: reported === null ? 'rest' : 'busy', status, isNews: true, actions: [] };
  if (passkey !== null) {
    const asks = { ...rest, ...CHAT, tone: 'busy', status: texts.passkey };
    return passkey.code === null
      ? { ...asks, hint: texts.hintSign, actions: ['signPasskey'] }
      : { ...asks, hint: texts.hintCompare(passkey.code) };
  }
  const old = oldCode === undefined ? [] : ['scanOld'];
  if (code !== null) {
    const hint = fault === 'outdated' ? texts.hintOutdated : texts.hintCode;
    return { ...rest, scene: 'viewfinder', hint, actions: ['scan', 'typeCode', ...old] };
  }
  if (state === 'code')
    return { ...rest, scene: 'viewfinder', hint: texts.hintStaleCode, actions: ['typeCode', ...old] };
  if (state !== 'starting') return { ...rest, scene: 'asleep', hint: texts.hintOff };
  return { ...rest, scene: 'viewfinder', hint: stalled ? texts.hintStalledStart : texts.hintStarting };
}
