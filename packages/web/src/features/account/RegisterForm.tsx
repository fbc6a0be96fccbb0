import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import * as text from '@vps/shared/text'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { startSession } from '../../api/session'
import { trpc } from '../../api/trpc'
import { useSentBefore } from '../../api/use-sent-before'
import { isBuying } from '../../paths'
import { Button } from '../../ui/Button'
import { PasswordField, TextField } from '../../ui/Field'
import { Form, Switch } from './AuthForm'
import { checkedBy } from './checked-by'
import { ClosableProblem } from './ClosableProblem'
import { NewPassword } from './NewPassword'
import { tellFaults } from './tell-faults'

interface Values {
  username: string
  email: string
  password: string
  confirmPassword: string
}

const mayBeRegistered = '账户可能已经注册成功，请用当时填写的密码登录来确认'

const empty: Values = { username: '', email: '', password: '', confirmPassword: '' }

/** Success signs in. */
export default function RegisterForm({ onSwitch }: { onSwitch: () => void }) {
  const { form, mismatch, problem, close, submit } = useRegistration()
  const { errors } = form.formState
  const password = useWatch({ control: form.control, name: 'password' })

  return (
    <Form onSubmit={(event) => void submit(event)} noValidate>
      <header>
        <h1>{verbs.register}</h1>
        <p>{isBuying() ? '所选配置已保留，注册后直接付款' : '创建账户，几分钟内拥有自己的服务器'}</p>
      </header>
      <ClosableProblem problem={problem} onClose={close} />
      <TextField
        label={labels.username}
        help={errors.username ? undefined : '3-20 个字母、数字或下划线'}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.username?.message}
        {...form.register('username')}
      />
      <TextField
        label={labels.email}
        type="email"
        autoComplete="email"
        error={errors.email?.message}
        {...form.register('email')}
      />
      <NewPassword
        label={labels.password}
        help={errors.password ? undefined : '至少 6 个字符'}
        typed={password}
        error={errors.password?.message}
        {...form.register('password')}
      />
      <PasswordField
        label={labels.confirmedPassword}
        autoComplete="new-password"
        error={mismatch ? text.confirmMismatch : errors.confirmPassword?.message}
        {...form.register('confirmPassword')}
      />
      <Button
        type="submit"
        tone="primary"
        size="lg"
        wide
        disabled={mismatch}
        busy={form.formState.isSubmitting}
        busyLabel="注册中…"
      >
        {verbs.register}
      </Button>
      <Switch>
        已有账户？
        <button type="button" onClick={onSwitch}>
          {verbs.backToSignIn}
        </button>
      </Switch>
    </Form>
  )
}

function useRegistration() {
  const [problem, setProblem] = useState<string | null>(null)
  const register = trpc.accounts.register.useMutation()
  const sentenceOf = useSentBefore(['USERNAME_TAKEN', 'EMAIL_TAKEN'], mayBeRegistered)
  const form = useForm<Values>({
    defaultValues: empty,
    mode: 'onTouched',
    resolver: checkedBy('registerInput', 'password'),
  })
  const password = useWatch({ control: form.control, name: 'password' })
  const confirmPassword = useWatch({ control: form.control, name: 'confirmPassword' })
  const mismatch = confirmPassword !== '' && password !== confirmPassword

  const submit = form.handleSubmit(
    async ({ username, email, password }) => {
      setProblem(null)
      try {
        const { token, ...user } = await register.mutateAsync({
          username: username.trim(),
          email: email.trim(),
          password,
        })
        startSession(token, user)
      } catch (error) {
        tellFaults(form, error)
        setProblem(sentenceOf(error, text.registerFailed))
      }
    },
    () => {
      const missing = Object.values(form.getValues()).some((value) => value.trim() === '')
      setProblem(missing ? text.registerEmpty : text.correctForm)
    },
  )

  return { form, mismatch, problem, close: () => setProblem(null), submit }
}
