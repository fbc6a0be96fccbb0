import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import * as text from '@vps/shared/text'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { codeOf, messageOf } from '../../api/errors'
import { currentSession, startSession } from '../../api/session'
import { trpc } from '../../api/trpc'
import type { Faults } from '../../forms/contract-faults'
import { isBuying, paths } from '../../paths'
import { Button } from '../../ui/Button'
import { PasswordField, TextField } from '../../ui/Field'
import { Form, Switch } from './AuthForm'
import { faultsBy } from './faults-by'
import { ClosableProblem } from './ClosableProblem'

const SecondCodeField = lazy(() => import('./SecondCodeField'))

/** The code once it was asked for. */
type Values = { username: string; password: string; verificationCode?: string }

/** A form library would be a tenth of this page. */
export function SignInForm({ onSwitch }: { onSwitch: () => void }) {
  const [values, setValues] = useState<Values>({ username: '', password: '' })
  const [faults, setFaults] = useState<Faults>({})
  const [problem, setProblem] = useState<string | null>(currentSession().lost ? text.sessionLost : null)
  const signIn = trpc.accounts.signIn.useMutation()
  // Also while the rules are on their way, which may take long: each send would sign in another device.
  const [busy, setBusy] = useState(false)
  useEffect(() => void (currentSession().lost && import('./quiet-refusals')), [])

  const field = (name: keyof Values) => ({
    name,
    value: values[name] ?? '',
    error: faults[name],
    onChange: ({ target }: { target: { value: string } }) => {
      setValues((old) => ({ ...old, [name]: target.value }))
      setFaults(({ [name]: _mended, ...others }) => others)
    },
  })

  async function submit(form: HTMLFormElement) {
    setProblem(null)
    const found = await faultsBy('signInInput', values)
    setFaults(found)
    const first = Object.keys(found)[0]
    if (first) {
      const empty = values.username.trim() === '' || values.password === ''
      setProblem(empty ? text.loginEmpty : text.correctForm)
      form.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
      return
    }
    try {
      const { token, ...user } = await signIn.mutateAsync({ ...values, username: values.username.trim() })
      startSession(token, user)
    } catch (error) {
      if (codeOf(error) === 'SECOND_FACTOR_REQUIRED') setValues({ ...values, verificationCode: '' })
      else setProblem(messageOf(error, text.loginFailed))
    }
  }

  return (
    <Form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setBusy(true)
        void submit(event.currentTarget).finally(() => setBusy(false))
      }}
    >
      <header>
        <h1>{verbs.signIn}</h1>
        <p>{isBuying() ? '所选配置已保留，登录后直接付款' : '欢迎回来，登录后管理您的服务器'}</p>
      </header>
      <ClosableProblem problem={problem} onClose={() => setProblem(null)} />
      <TextField
        label={labels.username}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...field('username')}
      />
      <PasswordField label={labels.password} autoComplete="current-password" {...field('password')} />
      {values.verificationCode !== undefined && (
        <Suspense fallback={null}>
          <SecondCodeField {...field('verificationCode')} />
        </Suspense>
      )}
      <Button type="submit" tone="primary" size="lg" wide busy={busy} busyLabel="登录中…">
        {verbs.signIn}
      </Button>
      <Switch>
        还没有账户？
        <button type="button" onClick={onSwitch}>
          立即注册
        </button>
        {' · '}
        <Link href={paths.forgotPassword()}>忘记密码</Link>
      </Switch>
    </Form>
  )
}
