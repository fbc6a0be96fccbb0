import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { resetResendSeconds } from '@vps/shared/accounts'
import * as text from '@vps/shared/text'
import { ArrowLeft } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import styled from 'styled-components'
import { Link } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { fieldErrorsOf, messageOf } from '../../api/errors'
import { trpc } from '../../api/trpc'
import { paths } from '../../paths'
import { media, size } from '../../theme/tokens'
import { Alert } from '../../ui/Alert'
import { Button } from '../../ui/Button'
import { Panel } from '../../ui/Card'
import { PasswordField, TextField } from '../../ui/Field'
import { useNow } from '../../ui/use-now'
import { useTitle } from '../../ui/use-title'
import { Form, Switch } from './AuthForm'
import { checkedBy } from './checked-by'

const PasswordStrength = lazy(() => import('./PasswordStrength'))

/** How long the good news stands before the sign-in page follows. */
const redirectMs = 3_000

/** A forgotten password in two steps: a code by mail, and a new password with it. */
export default function ForgotPage() {
  useTitle(verbs.recoverPassword)
  const [sent, setSent] = useState<{ email: string; at: number } | null>(null)
  return (
    <Middle>
      <Panel as="div">
        {sent ? (
          <ResetForm {...sent} onSentAgain={(at) => setSent({ ...sent, at })} onBack={() => setSent(null)} />
        ) : (
          <EmailForm onSent={(email) => setSent({ email, at: Date.now() })} />
        )}
      </Panel>
    </Middle>
  )
}

function EmailForm({ onSent }: { onSent: (email: string) => void }) {
  const [problem, setProblem] = useState<string | null>(null)
  const send = trpc.accounts.forgotPassword.useMutation()
  const form = useForm<{ email: string }>({
    defaultValues: { email: '' },
    resolver: checkedBy('forgotPasswordInput'),
  })

  const submit = form.handleSubmit(async ({ email }) => {
    setProblem(null)
    try {
      await send.mutateAsync({ email: email.trim() })
      onSent(email.trim())
    } catch (error) {
      setProblem(messageOf(error, text.codeFailed))
    }
  })

  return (
    <Form onSubmit={(event) => void submit(event)} noValidate>
      <header>
        <h1>{verbs.recoverPassword}</h1>
        <p>输入注册邮箱，我们会发送 6 位验证码</p>
      </header>
      {problem && (
        <Alert tone="error" onClose={() => setProblem(null)}>
          {problem}
        </Alert>
      )}
      <TextField
        label={labels.email}
        type="email"
        autoComplete="email"
        error={form.formState.errors.email?.message}
        {...form.register('email')}
      />
      <Button type="submit" tone="primary" size="lg" wide busy={form.formState.isSubmitting} busyLabel="发送中…">
        发送验证码
      </Button>
      <Switch>
        <Link href={paths.auth()}>{verbs.backToSignIn}</Link>
      </Switch>
    </Form>
  )
}

interface ResetValues {
  email: string
  verificationCode: string
  newPassword: string
  confirmPassword: string
}

function ResetForm({
  email,
  at,
  onSentAgain,
  onBack,
}: {
  email: string
  at: number
  onSentAgain: (at: number) => void
  onBack: () => void
}) {
  const [problem, setProblem] = useState<string | null>(null)
  const [notice, setNotice] = useState('验证码已发送，请查收邮件')
  const [done, setDone] = useState(false)
  const send = trpc.accounts.forgotPassword.useMutation()
  const reset = trpc.accounts.resetPassword.useMutation()
  const now = useNow(500)
  const wait = Math.max(0, Math.ceil(resetResendSeconds - (now - at) / 1000))
  const form = useForm<ResetValues>({
    defaultValues: { email, verificationCode: '', newPassword: '', confirmPassword: '' },
    resolver: checkedBy('resetPasswordInput', 'newPassword'),
    mode: 'onTouched',
  })
  const { errors } = form.formState
  const newPassword = useWatch({ control: form.control, name: 'newPassword' })

  // The sign-in page follows by itself; a timer is outside React.
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => navigate(paths.auth()), redirectMs)
    return () => clearTimeout(timer)
  }, [done])

  async function sendAgain() {
    setProblem(null)
    try {
      await send.mutateAsync({ email })
      setNotice('验证码已重新发送，请查收邮件')
      onSentAgain(Date.now())
    } catch (error) {
      setProblem(messageOf(error, text.codeFailed))
    }
  }

  const submit = form.handleSubmit(async ({ verificationCode, newPassword }) => {
    setProblem(null)
    try {
      await reset.mutateAsync({ email, verificationCode: verificationCode.trim(), newPassword })
      setDone(true)
    } catch (error) {
      for (const [field, message] of Object.entries(fieldErrorsOf(error))) {
        if (field in form.getValues()) form.setError(field as keyof ResetValues, { message })
      }
      setProblem(messageOf(error, text.resetFailed))
    }
  })

  return (
    <Form onSubmit={(event) => void submit(event)} noValidate>
      <header>
        <h1>{verbs.resetPassword}</h1>
        <p>验证码发送至 {email}</p>
      </header>
      {done ? (
        <Alert tone="success">密码重置成功，3 秒后跳转到登录页面</Alert>
      ) : problem ? (
        <Alert tone="error" onClose={() => setProblem(null)}>
          {problem}
        </Alert>
      ) : (
        <Alert tone="info">{notice}</Alert>
      )}
      <TextField
        label="验证码"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        error={errors.verificationCode?.message}
        {...form.register('verificationCode')}
      />
      <div>
        <PasswordField
          label={labels.newPassword}
          autoComplete="new-password"
          error={errors.newPassword?.message}
          {...form.register('newPassword')}
        />
        {newPassword && (
          <Suspense fallback={null}>
            <PasswordStrength password={newPassword} />
          </Suspense>
        )}
      </div>
      <PasswordField
        label={labels.confirmedPassword}
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...form.register('confirmPassword')}
      />
      <Button
        type="submit"
        tone="primary"
        size="lg"
        wide
        disabled={done}
        busy={form.formState.isSubmitting}
        busyLabel="重置中…"
      >
        {verbs.resetPassword}
      </Button>
      <Row>
        <Button
          tone="quiet"
          icon={<ArrowLeft size={16} strokeWidth={1.75} aria-hidden />}
          onClick={() => {
            form.reset()
            onBack()
          }}
        >
          {verbs.goBack}
        </Button>
        <Button tone="quiet" disabled={wait > 0 || done} busy={send.isPending} onClick={() => void sendAgain()}>
          {wait > 0 ? `重新发送（${wait} 秒）` : '重新发送'}
        </Button>
      </Row>
    </Form>
  )
}

const Middle = styled.div`
  display: grid;
  justify-content: center;
  align-content: center;
  min-height: calc(100dvh - ${size.bar} - 1px);
  padding: 32px 24px;

  > div {
    width: min(448px, calc(100vw - 48px));
    padding: 32px 24px;
  }

  ${media.phone} {
    align-content: start;
    padding: 16px;

    > div {
      width: calc(100vw - 32px);
      padding: 24px 16px;
    }
  }
`

const Row = styled.div`
  display: flex;
  justify-content: space-between;
`
