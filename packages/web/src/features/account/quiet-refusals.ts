/**
 * What was closed by the end of its session is refused for that alone, which the sign-in page says already. Comes only
 * then: the page's first visit has no room for it.
 */
import { errorTable } from '@vps/shared/errors'
import { currentSession } from '../../api/session'
import { currentToasts, dismissToast, subscribeToToasts } from '../../ui/toast'

function drop(): void {
  const told = currentToasts().find(({ message }) => message.endsWith(errorTable.UNAUTHENTICATED.message))
  if (told && currentSession().lost) dismissToast(told.id)
}

subscribeToToasts(drop)
drop()
