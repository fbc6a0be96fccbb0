import type { KeyName } from './keys'

export type Held = Extract<KeyName, 'control' | 'alt'>

export interface RemoteInput {
  /** Pressed in turn, released in reverse. */
  press(keys: readonly KeyName[]): void
  /** As fast as a machine reads; the signal ends it. */
  type(text: string, options?: { held?: readonly Held[]; signal?: AbortSignal }): Promise<void>
  /** Whether there is a way to send it. */
  understands(keys: readonly KeyName[]): boolean
  focus(): void
  /** Of modifiers still held. */
  release(): void
}
