import { useEffect } from 'react'
import { endSession, keepUser, useSession } from '../api/session'
import { trpc } from '../api/trpc'

/** Reads the profile whenever a session exists, so that the held user is true; a failed read signs out. */
export function ProfileKeeper() {
  const { token } = useSession()
  const { data, isError } = trpc.accounts.me.useQuery(undefined, { enabled: token !== null })

  // The session lives in local storage, outside React.
  useEffect(() => {
    if (data) keepUser(data)
  }, [data])

  // As above: signing out clears local storage and changes the address.
  useEffect(() => {
    if (isError) endSession()
  }, [isError])

  return null
}
