import * as verbs from '@vps/shared/verbs'
import { lazy, Suspense } from 'react'
import styled from 'styled-components'
import { color, media, size } from '../../theme/tokens'
import { useNarrow } from '../../theme/use-media'
import { useParam } from '../../ui/use-param'
import { focusMain } from '../../ui/focus-main'
import { useTitle } from '../../ui/use-title'
import { SignInForm } from './SignInForm'

const AuthAside = lazy(() => import('./AuthAside'))
const RegisterForm = lazy(() => import('./RegisterForm'))

/** Sign-in; registration at `?form=register`. */
export default function AuthPage() {
  const [form, show] = useParam('form')
  const registering = form === 'register'
  const narrow = useNarrow()
  const go = (to: string | null) => {
    show(to)
    focusMain()
  }
  useTitle(registering ? verbs.register : verbs.signIn)
  return (
    <Split>
      {!narrow && (
        <Suspense fallback={<Ground />}>
          <AuthAside />
        </Suspense>
      )}
      <Side>
        {registering ? (
          <Suspense fallback={null}>
            <RegisterForm onSwitch={() => go(null)} />
          </Suspense>
        ) : (
          <SignInForm onSwitch={() => go('register')} />
        )}
      </Side>
    </Split>
  )
}

const Split = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr) minmax(0, 1.1fr);
  min-height: calc(100dvh - ${size.bar} - 1px);

  ${media.narrow} {
    grid-template-columns: 1fr;
  }
`

const Ground = styled.div`
  background: ${color.night};
`

const Side = styled.div`
  display: grid;
  align-content: center;
  justify-content: center;
  padding: 48px 24px;

  > form {
    width: min(${size.auth}, calc(100vw - 48px));
  }

  ${media.phone} {
    align-content: start;
    padding: 32px 16px;

    > form {
      width: calc(100vw - 32px);
    }
  }
`
