import { resetResendSeconds } from '@vps/shared/accounts'
import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import styled from 'styled-components'
import { navigate } from 'wouter/use-browser-location'
import { messageOf } from '../../api/errors'
import { trpc } from '../../api/trpc'
import { useSentBefore } from '../../api/use-sent-before'
import { paths } from '../../paths'
import { Alert } from '../../ui/Alert'
import { Button } from '../../ui/Button'
import { PasswordField, TextField } from '../../ui/Field'
import { useNow } from '../../ui/use-now'
import { Form } from './AuthForm'
import { checkedBy } from './checked-by'
import { NewPassword } from './NewPassword'
import { tellFaults } from './tell-faults'
import { useSendCode } from './use-send-code'

const redirectMs = 3_000

interface ResetValues {
  email: string
  verificationCode: string
  newPassword: string
  confirmPassword: string
}

interface ResetProps {
  email: string
  at: number
  onSentAgain: (at: number) => void
  onBack: () => void
}

/** The mail's code and a new password. */
export function ResetForm({ onBack, ...sent }: ResetProps) {
  const { email } = sent
  const { form, problem, setProblem, notice, done, wait, sending, sendAgain, submit } = useReset(sent)
  const { errors } = form.formState
  const newPassword = useWatch({ control: form.control, name: 'newPassword' })
  const waits = wait > 0 || done

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
        label={labels.oneTimeCode}
        inputMode="numeric"
        autoComplete="one-time-code"
        error={errors.verificationCode?.message}
        {...form.register('verificationCode')}
      />
      <NewPassword
        label={labels.newPassword}
        typed={newPassword}
        error={errors.newPassword?.message}
        {...form.register('newPassword')}
      />
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
        {/* Sent, it keeps the focus. */}
        <Button
          tone="quiet"
          aria-disabled={waits}
          busy={sending}
          onClick={() => {
            if (!waits) void sendAgain()
          }}
        >
          {wait > 0 ? `重新发送（${wait} 秒）` : '重新发送'}
        </Button>
      </Row>
    </Form>
  )
}

function useReset({ email, at, onSentAgain }: Omit<ResetProps, 'onBack'>) {
  const [problem, setProblem] = useState<string | null>(null)
  const [notice, setNotice] = useState('验证码已发送，请查收邮件')
  const [done, setDone] = useState(false)
  const { sendCode, sending } = useSendCode()
  const reset = trpc.accounts.resetPassword.useMutation()
  const sentenceOf = useSentBefore(['WRONG_CODE'], text.mayBeNewPassword)
  const now = useNow(500)
  const wait = Math.max(0, Math.ceil(resetResendSeconds - (now - at) / 1000))
  const form = useForm<ResetValues>({
    defaultValues: { email, verificationCode: '', newPassword: '', confirmPassword: '' },
    resolver: checkedBy('resetPasswordInput', 'newPassword'),
    mode: 'onTouched',
  })

  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => navigate(paths.auth()), redirectMs)
    return () => clearTimeout(timer)
  }, [done])

  async function sendAgain() {
    setProblem(null)
    try {
      await sendCode(email)
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
      tellFaults(form, error)
      setProblem(sentenceOf(error, text.resetFailed))
    }
  })

  return { form, problem, setProblem, notice, done, wait, sending, sendAgain, submit }
}

const Row = styled.div`
  display: flex;
  justify-content: space-between;
`
