/** The browser under test, where engines have to be driven differently. */
const { userAgent } = navigator;

export const isChromium = /Chrome\//.test(userAgent);
export const isWebKit = /AppleWebKit\//.test(userAgent) && !isChromium;
