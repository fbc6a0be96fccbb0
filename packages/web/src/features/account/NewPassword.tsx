import { lazy, Suspense, type ComponentProps } from 'react'
import { PasswordField } from '../../ui/Field'

const PasswordStrength = lazy(() => import('./PasswordStrength'))

/** A chosen password, and how strong it is. */
export function NewPassword({ typed, ...field }: ComponentProps<typeof PasswordField> & { typed: string }) {
  return (
    <div>
      <PasswordField autoComplete="new-password" {...field} />
      {typed && (
        <Suspense fallback={null}>
          <PasswordStrength password={typed} />
        </Suspense>
      )}
    </div>
  )
}
