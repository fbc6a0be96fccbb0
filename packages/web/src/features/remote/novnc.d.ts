/**
 * What we use of noVNC 1.5 (docs/API.md there), which brings no types. CommonJS: its class is the default of the
 * default.
 */
declare module '@novnc/novnc/lib/rfb.js' {
  interface RfbEvents {
    connect: CustomEvent
    disconnect: CustomEvent<{ clean: boolean }>
  }

  export class RFB {
    /** `channel` may still be connecting. */
    constructor(target: HTMLElement, channel: WebSocket)
    scaleViewport: boolean
    clipViewport: boolean
    dragViewport: boolean
    background: string
    focus(options?: FocusOptions): void
    disconnect(): void
    /** Without `down`: pressed and released. */
    sendKey(keysym: number, code: string | null, down?: boolean): void
    addEventListener<T extends keyof RfbEvents>(type: T, listener: (event: RfbEvents[T]) => void): void
  }

  const novnc: { default: typeof RFB }
  export default novnc
}
