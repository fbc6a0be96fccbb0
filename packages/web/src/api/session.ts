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
  if (event.key === 'token' || event.key === 'user' || event.key === null) change(read())
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

const metBefore = 'met-before'

/** Keeps a fresh sign-in. */
export function startSession(token: string, user: SessionUser): void {
  localStorage.setItem('token', token)
  localStorage.setItem('user', JSON.stringify(user))
  change({ token, user })
}

/** After the profile was read or saved. */
export function keepUser(user: SessionUser): void {
  if (session.token === null) return
  localStorage.setItem('user', JSON.stringify(user))
  change({ token: session.token, user })
}

/** Goes to the sign-in page. */
export function endSession(): void {
  forget({ token: null, user: null }, paths.auth())
}

/** As above; the page says that the server ended it. */
export function loseSession(): void {
  forget({ token: null, user: null, lost: true }, paths.auth(location.pathname + location.search))
}

function forget(next: Session, to: string): void {
  localStorage.setItem(metBefore, 'yes')
  localStorage.removeItem('token')
  localStorage.removeItem('user')
  change(next)
  if (location.pathname !== paths.auth()) navigate(to)
}

function change(next: Session): void {
  session = next
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
