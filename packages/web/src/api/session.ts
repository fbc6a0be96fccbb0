/** In local storage, shared by every tab. */
import { useSyncExternalStore } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { paths } from '../paths'
import { readStored } from '../stored'

export interface SessionUser {
  id: string
  username: string
  email: string
  role: string
  isAdmin: boolean
  createdAt: string
}

export interface Session {
  token: string | null
  user: SessionUser | null
  /** The server ended it. */
  lost?: true
}

let session = read()
const listeners = new Set<() => void>()

window.addEventListener('storage', (event) => {
  // From another tab; null where all was cleared.
  if (event.key === 'token' || event.key === 'user' || event.key === null) change()
})

/** For code outside React. */
export const currentSession = (): Session => session

/** Rendered again when it changes. */
export function useSession(): Session {
  return useSyncExternalStore(subscribe, currentSession)
}

/** Whoever never had a session here begins by registering. */
export const entrance = (next?: string): string =>
  localStorage.getItem(metBefore) === null ? paths.register(next) : paths.auth(next)

/** Also how the last session ended, for every tab: `lost`, or `left` by its owner. */
export const metBefore = 'met-before'

/** Keeps a fresh sign-in. */
export function startSession(token: string, user: SessionUser): void {
  localStorage.setItem(metBefore, 'yes')
  localStorage.setItem('token', token)
  localStorage.setItem('user', JSON.stringify(user))
  change()
}

/** After the profile was read or saved. */
export function keepUser(user: SessionUser): void {
  if (session.token === null) return
  localStorage.setItem('user', JSON.stringify(user))
  change()
}

/** Goes to the sign-in page. */
export function endSession(): void {
  forget('left', paths.auth())
}

/** As above; the page says that the server ended it. */
export function loseSession(): void {
  if (localStorage.getItem(metBefore) === 'left') return endSession()
  forget('lost', paths.auth(location.pathname + location.search))
}

function forget(how: 'lost' | 'left', to: string): void {
  // First, as other tabs look when the token goes.
  localStorage.setItem(metBefore, how)
  localStorage.removeItem('token')
  localStorage.removeItem('user')
  change()
  if (location.pathname !== paths.auth()) navigate(to)
}

function change(): void {
  session = read()
  if (session.token === null && localStorage.getItem(metBefore) === 'lost') session.lost = true
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function read(): Session {
  const token = localStorage.getItem('token')
  if (!token) return { token: null, user: null }
  return { token, user: readStored<SessionUser>(localStorage, 'user') }
}
