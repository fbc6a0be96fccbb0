import * as verbs from '@vps/shared/verbs'
import { ShieldCheck, Timer, Zap } from 'lucide-react'
import { lazy, Suspense } from 'react'
import styled from 'styled-components'
import { productName } from '@vps/shared/brand'
import { color, font, media, size } from '../../theme/tokens'
import { useParam } from '../../ui/use-param'
import { useTitle } from '../../ui/use-title'
import { SignInForm } from './SignInForm'

const RegisterForm = lazy(() => import('./RegisterForm'))

const points = [
  { icon: Zap, text: '30 秒部署，安装进度实时可见' },
  { icon: ShieldCheck, text: '99.9% 可用性，7x24 技术支持' },
  { icon: Timer, text: '按小时起售，随时升级与续费' },
]

/** Sign-in, and at `?form=register` registration, switched in place. */
export default function AuthPage() {
  const [form, show] = useParam('form')
  const registering = form === 'register'
  useTitle(registering ? verbs.register : verbs.signIn)
  return (
    <Split>
      <Aside>
        <p>{productName}</p>
        <h2>
          选好配置，付款即开通
          <br />
          服务器就该这么简单
        </h2>
        <ul>
          {points.map(({ icon: Icon, text }) => (
            <li key={text}>
              <Icon size={20} strokeWidth={1.75} aria-hidden />
              {text}
            </li>
          ))}
        </ul>
      </Aside>
      <Side>
        {registering ? (
          <Suspense fallback={null}>
            <RegisterForm onSwitch={() => show(null)} />
          </Suspense>
        ) : (
          <SignInForm onSwitch={() => show('register')} />
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

const Aside = styled.aside`
  display: flex;
  flex-direction: column;
  justify-content: center;
  gap: 24px;
  padding: 48px 64px;
  background: linear-gradient(150deg, ${color.heroFrom}, ${color.heroTo});
  color: ${color.onHero};

  h2 {
    ${font.xxl}
  }

  ul {
    display: grid;
    gap: 16px;
    ${font.md}
  }

  li {
    display: flex;
    align-items: center;
    gap: 12px;
  }

  ${media.narrow} {
    display: none;
  }
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
