/** Loaded before the gateway: its clock is wrong by as many hours as WO_TEST_HOURS says. */
const shift = Number(process.env.WO_TEST_HOURS) * 3_600_000;
const RealDate = Date;

class ShiftedDate extends RealDate {
  constructor(...args: ConstructorParameters<DateConstructor> | []) {
    if (args.length === 0) super(RealDate.now() + shift);
    else super(...args);
  }

  static override now(): number {
    return RealDate.now() + shift;
  }
}

Reflect.set(globalThis, 'Date', ShiftedDate);
