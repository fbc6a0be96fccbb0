/** Keyboard Lock (WICG), not in every browser. */
interface Navigator {
  readonly keyboard?: { lock(): Promise<void> }
}
