import cfg from './rollup.config.mjs';
const s=cfg[1];
export default {...s, output:{...s.output,file:'/tmp/size-31914.js',sourcemap:false}, plugins:s.plugins.filter(p=>!/license|integrity/.test(p.name))};