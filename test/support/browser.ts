/** What a test has to know of the browser that it runs in, where they cannot all be driven alike. */
const { userAgent } = navigator;

export const isFirefox = /Firefox\//.test(userAgent);
export const isChromium = /Chrome\//.test(userAgent);
export const isWebKit = /AppleWebKit\//.test(userAgent) && !isChromium;
