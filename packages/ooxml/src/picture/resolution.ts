const METRES_PER_INCH = 0.0254;

/**
 * Converts a resolution to dpi. Files count whole pixels per metre, so 96 dpi become 95.9866. Rounds to the intended
 * number.
 */
export function dpiOf(pixelsPerMetre: number): number {
  const exact = pixelsPerMetre * METRES_PER_INCH;
  const whole = Math.round(exact);
  return Math.round(whole / METRES_PER_INCH) === pixelsPerMetre ? whole : exact;
}
