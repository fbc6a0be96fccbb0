import { useEffect } from 'react'
import { keepUser, loseSession, useSession } from '../api/session'
import { trpc } from '../api/trpc'

/** Reads the profile whenever a session exists; a failed read signs out. */
export function ProfileKeeper() {
  const { token } = useSession()
  // Only the first read decides: a later one that fails (a restart of the API) is tried again.
  const { data, isLoadingError } = trpc.accounts.me.useQuery(undefined, { enabled: token !== null })

  // The session is in local storage, outside React.
  useEffect(() => {
    if (data) keepUser(data)
  }, [data])

  // As above; it also changes the address.
  useEffect(() => {
    if (isLoadingError) loseSession()
  }, [isLoadingError])

  return null
}
