import { getByRole } from '@testing-library/dom';
import { expect } from 'chai';
import { QRCodeSVG } from 'qrcode.react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { decodeQr } from './qr.ts';

describe('the reader of QR codes that the tests use', () => {
  const host = document.createElement('div');
  beforeEach(() => document.body.append(host));
  afterEach(() => host.remove());

  for (const level of ['L', 'M', 'Q', 'H'] as const) {
    it(`tells text, version and level ${level} from the pixels`, async () => {
      draw(<QRCodeSVG value="prueba" level={level} boostLevel={false} size={300} marginSize={4} />);
      expect(await decodeQr(host)).to.deep.equal({ text: 'prueba', version: 1, level });
    });
  }

  it('does not read an inverted code, since phones do not', async () => {
    draw(
      <QRCodeSVG value="prueba" size={300} marginSize={4} fgColor="white" bgColor="black" title="Código" />,
    );
    expect(await decodeQr(host)).to.equal(null);
  });

  it('does not take a code without text for one', async () => {
    draw(<QRCodeSVG value="" size={300} marginSize={4} />);
    expect(await decodeQr(host)).to.equal(null);
  });

  it('reads a long code below the fold', async () => {
    host.style.paddingTop = '2000px';
    const text = 'a'.repeat(300);
    draw(<QRCodeSVG value={text} level="H" size={300} marginSize={4} title="Código" />);
    const svg = getByRole(host, 'img', { name: 'Código' });
    expect((await decodeQr(svg, 3))?.text).to.equal(text);
  });

  function draw(code: React.ReactNode) {
    flushSync(() => createRoot(host).render(code));
  }
});
