import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form'
import styled from 'styled-components'
import { keepUser, type SessionUser } from '../../api/session'
import { trpc } from '../../api/trpc'
import { useSentBefore } from '../../api/use-sent-before'
import { color, font, media, motion, radius } from '../../theme/tokens'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { PasswordField, TextField } from '../../ui/Field'
import { toast } from '../../ui/toast'
import { checkedBy } from './checked-by'
import { ClosableProblem } from './ClosableProblem'
import { NewPassword } from './NewPassword'
import { tellFaults } from './tell-faults'

interface Values {
  username: string
  email: string
  currentPassword: string
  newPassword: string
  confirmPassword: string
}

const noPasswords = { currentPassword: '', newPassword: '', confirmPassword: '' }
const valuesOf = ({ username, email }: SessionUser): Values => ({ username, email, ...noPasswords })
const check = checkedBy<Values>('updateProfileInput', 'newPassword')

/** Name, address and password. */
export function ProfileForm({ user }: { user: SessionUser }) {
  const { form, problem, close, isUnfolded, setUnfolded, submit, reset } = useProfileForm(user)
  const { errors } = form.formState

  return (
    <Card title="编辑资料">
      <Form onSubmit={(event) => void submit(event)} noValidate>
        <ClosableProblem problem={problem} onClose={close} />
        <Pair>
          <TextField
            label={labels.username}
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
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
        </Pair>
        <PasswordChange form={form} open={isUnfolded === true} onToggle={setUnfolded} />
        <Row>
          <Button type="submit" tone="primary" busy={form.formState.isSubmitting} busyLabel={text.saving}>
            {verbs.save}
          </Button>
          <Button onClick={reset}>{verbs.reset}</Button>
        </Row>
      </Form>
    </Card>
  )
}

function useProfileForm(user: SessionUser) {
  const [problem, setProblem] = useState<string | null>(null)
  const utils = trpc.useUtils()
  const update = trpc.accounts.updateProfile.useMutation()
  const sentenceOf = useSentBefore(['WRONG_CURRENT_PASSWORD'], text.mayBeNewPassword)
  // Null: never, so whatever is in there the browser has filled in, as it does with passwords that it keeps.
  const [isUnfolded, setUnfolded] = useState<boolean | null>(null)
  const form = useForm<Values>({
    // Also what another tab saves, where nothing else is typed.
    values: valuesOf(user),
    resetOptions: { keepDirtyValues: true },
    mode: 'onTouched',
    resolver: (values, ...rest) => check(isUnfolded === null ? { ...values, ...noPasswords } : values, ...rest),
  })
  // A fault must be seen; only what was typed there can be one.
  const unfold = () => {
    const typed = form.getValues(['currentPassword', 'newPassword', 'confirmPassword'])
    if (isUnfolded !== null && typed.some(Boolean)) setUnfolded(true)
  }
  const startFrom = (known: SessionUser) => form.reset(valuesOf(known), { keepDirtyValues: false })

  const submit = form.handleSubmit(
    async ({ username, email, currentPassword, newPassword }) => {
      setProblem(null)
      try {
        const saved = await update.mutateAsync({
          username: username.trim(),
          email: email.trim(),
          ...(currentPassword && newPassword ? { currentPassword, newPassword } : {}),
        })
        keepUser(saved)
        startFrom(saved)
        toast(text.profileSaved, 'success')
        void utils.accounts.invalidate()
      } catch (error) {
        unfold()
        tellFaults(form, error)
        setProblem(sentenceOf(error, text.profileFailed))
      }
    },
    () => {
      unfold()
      setProblem(text.fixForm)
    },
  )

  const reset = () => {
    startFrom(user)
    setProblem(null)
  }
  return { form, problem, close: () => setProblem(null), isUnfolded, setUnfolded, submit, reset }
}

interface Folded {
  form: UseFormReturn<Values>
  open: boolean
  onToggle: (open: boolean) => void
}

function PasswordChange({ form, open, onToggle }: Folded) {
  const { errors } = form.formState
  const newPassword = useWatch({ control: form.control, name: 'newPassword' })
  return (
    <Accordion open={open} onToggle={({ currentTarget }) => onToggle(currentTarget.open)}>
      <summary>
        <ChevronRight size={16} strokeWidth={1.75} aria-hidden />
        修改密码（可选）
      </summary>
      <Fields>
        <PasswordField
          label={labels.currentPassword}
          autoComplete="current-password"
          error={errors.currentPassword?.message}
          {...form.register('currentPassword')}
        />
        <NewPassword
          label={labels.newPassword}
          typed={newPassword}
          help="至少 8 个字符；修改后其他设备需要重新登录"
          error={errors.newPassword?.message}
          {...form.register('newPassword')}
        />
        <PasswordField
          label={labels.confirmedPassword}
          autoComplete="new-password"
          error={errors.confirmPassword?.message}
          {...form.register('confirmPassword')}
        />
      </Fields>
    </Accordion>
  )
}

const Form = styled.form`
  display: grid;
  gap: 16px;
`

const Pair = styled.div`
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: 16px;

  ${media.phone} {
    grid-template-columns: minmax(0, 1fr);
  }
`

const Accordion = styled.details`
  border: 1px solid ${color.line};
  border-radius: ${radius.card};

  summary {
    display: flex;
    align-items: center;
    gap: 8px;
    min-height: 44px;
    padding: 0 16px;
    border-radius: ${radius.card};
    list-style: none;
    ${font.sm}
    cursor: pointer;

    &::-webkit-details-marker {
      display: none;
    }

    svg {
      color: ${color.text3};
      transition: transform ${motion.state};
    }
  }

  &[open] summary svg {
    transform: rotate(90deg);
  }
`

const Fields = styled.div`
  display: grid;
  gap: 16px;
  padding: 4px 16px 16px;
`

const Row = styled.div`
  display: flex;
  gap: 12px;
`
