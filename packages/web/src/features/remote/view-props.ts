import type { LinkState } from './use-remote-link'
import type { RemoteInput } from './remote-input'

export interface Remote {
  state: LinkState
  again: () => void
  /** Null while nobody hears it. */
  input: RemoteInput | null
}

export interface ViewProps {
  serverId: string
  /** The whole picture, however small. */
  fit: boolean
  onRemote: (remote: Remote) => void
}
