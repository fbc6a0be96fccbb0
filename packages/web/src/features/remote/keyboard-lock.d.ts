/** Keyboard Lock (WICG): in full screen, keys the browser keeps for itself. Not in every browser. */
interface Navigator {
  readonly keyboard?: { lock(): Promise<void> }
}
