import { useEffect } from 'react'
import { keepUser, loseSession, useSession } from '../api/session'
import { trpc } from '../api/trpc'

/** A failed first read signs out. */
export function ProfileKeeper() {
  const { token } = useSession()
  // A later read that fails (a restart of the API) is tried again.
  const { data, isLoadingError } = trpc.accounts.me.useQuery(undefined, { enabled: token !== null })

  useEffect(() => {
    if (data) keepUser(data)
  }, [data])

  useEffect(() => {
    if (isLoadingError) loseSession()
  }, [isLoadingError])

  return null
}
