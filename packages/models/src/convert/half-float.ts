/**
 * The 16-bit float (IEEE 754 binary16) that is nearest to a 32-bit one; ties go to the even one, what is too large becomes infinite.
 *
 * @param bits the bits of the 32-bit float.
 * @returns the 16 bits.
 */
export function toHalf(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const exponent = (bits >>> 23) & 0xff;
  const mantissa = bits & 0x7fffff;
  if (exponent === 0xff) return sign | 0x7c00 | (mantissa === 0 ? 0 : 0x200);
  const half = exponent - 112;
  if (half >= 0x1f) return sign | 0x7c00;
  // A carry of the mantissa goes into the exponent, which is what rounding up means there.
  if (half > 0) return sign | (((half << 10) | (mantissa >>> 13)) + roundUp(mantissa, 13));
  if (half < -10) return sign;
  const whole = mantissa | 0x800000;
  const shift = 14 - half;
  return sign | ((whole >>> shift) + roundUp(whole, shift));
}

/** 1 when the bits that are cut off are more than half, or half of an odd number. */
function roundUp(value: number, cut: number): number {
  const rest = value & ((1 << cut) - 1);
  const middle = 1 << (cut - 1);
  return rest > middle || (rest === middle && (value >>> cut) % 2 === 1) ? 1 : 0;
}
