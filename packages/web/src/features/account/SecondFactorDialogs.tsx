import type { SecondFactorKey } from '@vps/shared/accounts.contract'
import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { useState, type ComponentProps, type ReactNode } from 'react'
import styled from 'styled-components'
import { trpc } from '../../api/trpc'
import { Button } from '../../ui/Button'
import { CopiedText } from '../../ui/CopiedText'
import { Dialog } from '../../ui/Dialog'
import { PasswordField } from '../../ui/Field'
import { Qr } from '../../ui/Qr'
import { Refusal } from '../../ui/Refusal'
import { toast } from '../../ui/toast'
import { RecoveryCodes } from './RecoveryCodes'
import SecondCodeField from './SecondCodeField'
import { useDialogForm } from './use-dialog-form'

type Closing = { onClose: () => void }

/** Password, then the secret and a code of it, then recovery codes. */
export function EnableDialog({ onClose }: Closing) {
  const [key, setKey] = useState<SecondFactorKey | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const password = usePassword(setKey)
  const code = useCode(setCodes)
  return (
    <StepDialog
      title={verbs.enableSecondFactor}
      confirm={key ? verbs.turnOn : '下一步'}
      asked={key ? code : password}
      codes={codes}
      onClose={onClose}
    >
      {key ? (
        <>
          <p>用验证器应用扫描二维码，或手动输入密钥，然后填写应用显示的验证码。开启后其他设备将退出登录。</p>
          <Scan>
            <Qr text={key.uri} label="两步验证二维码" side={176} />
            <CopiedText text={key.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')} what="验证器密钥" />
          </Scan>
          <SecondCodeField
            onlyDigits
            error={code.form.formState.errors.verificationCode?.message}
            {...code.form.register('verificationCode')}
          />
        </>
      ) : (
        <>
          <p>请先准备一个验证器应用，如 Microsoft Authenticator、Google Authenticator 或密码管理器。</p>
          <CurrentPassword
            error={password.form.formState.errors.currentPassword?.message}
            {...password.form.register('currentPassword')}
          />
        </>
      )}
    </StepDialog>
  )
}

function usePassword(onDone: (key: SecondFactorKey) => void) {
  const prepare = trpc.secondFactor.prepare.useMutation({ onError: useReadAgain() })
  return useDialogForm<{ currentPassword: string }>({
    contract: 'currentPasswordInput',
    empty: { currentPassword: '' },
    failed: text.secondFactorFailed,
    send: async (values) => onDone(await prepare.mutateAsync(values)),
  })
}

function useCode(onDone: (codes: string[]) => void) {
  const enable = trpc.secondFactor.enable.useMutation({ onSettled: useReadAgain() })
  return useDialogForm<{ verificationCode: string }>({
    contract: 'secondCodeInput',
    empty: { verificationCode: '' },
    failed: text.secondFactorFailed,
    hint: '两步验证可能已经开启，请关闭此窗口查看；如已开启，请重新生成恢复码',
    send: async (values) => {
      onDone((await enable.mutateAsync(values)).recoveryCodes)
      toast('两步验证已开启，其他设备已退出登录', 'success')
    },
  })
}

/** Turns it off, or makes new recovery codes. */
export function ProofDialog({ act, onClose }: Closing & { act: 'off' | 'codes' }) {
  const [codes, setCodes] = useState<string[] | null>(null)
  const readAgain = useReadAgain()
  const disable = trpc.secondFactor.disable.useMutation({ onSettled: readAgain })
  const renew = trpc.secondFactor.renewRecoveryCodes.useMutation({ onSettled: readAgain })
  const isOff = act === 'off'
  const asked = useDialogForm<{ currentPassword: string; verificationCode: string }>({
    contract: 'secondFactorInput',
    empty: { currentPassword: '', verificationCode: '' },
    failed: isOff ? '两步验证关闭失败' : '恢复码生成失败',
    hint: isOff ? '两步验证可能已经关闭，请关闭此窗口查看' : '原来的恢复码可能已经失效，请等待下一个验证码后重试',
    send: async (values, isOpen) => {
      if (!isOff) return setCodes((await renew.mutateAsync(values)).recoveryCodes)
      await disable.mutateAsync(values)
      toast(text.secondFactorOff, 'success')
      if (isOpen()) onClose()
    },
  })
  const { errors } = asked.form.formState
  return (
    <StepDialog
      title={isOff ? verbs.disableSecondFactor : verbs.renewRecoveryCodes}
      confirm={isOff ? verbs.confirmClose : '重新生成'}
      danger={isOff}
      asked={asked}
      codes={codes}
      onClose={onClose}
    >
      <p>{isOff ? '关闭后，只用密码即可登录，原来的恢复码全部失效。' : '重新生成后，原来的恢复码全部失效。'}</p>
      <CurrentPassword error={errors.currentPassword?.message} {...asked.form.register('currentPassword')} />
      <SecondCodeField
        takesFocus={false}
        error={errors.verificationCode?.message}
        {...asked.form.register('verificationCode')}
      />
    </StepDialog>
  )
}

function useReadAgain() {
  const utils = trpc.useUtils()
  return () => void utils.secondFactor.get.invalidate()
}

type StepProps = Closing & {
  title: string
  confirm: string
  danger?: boolean
  asked: { busy: boolean; problem: string | null; submit: ComponentProps<'form'>['onSubmit'] }
  /** The last step. */
  codes: readonly string[] | null
  children: ReactNode
}

const formId = 'second-factor'

function StepDialog({ title, confirm, danger = false, asked, codes, onClose, children }: StepProps) {
  const footer = codes ? (
    <Button tone="primary" onClick={onClose}>
      我已保存
    </Button>
  ) : (
    <>
      <Button onClick={onClose}>{verbs.cancel}</Button>
      <Button tone={danger ? 'danger' : 'primary'} type="submit" form={formId} busy={asked.busy}>
        {confirm}
      </Button>
    </>
  )
  return (
    <Dialog sticky open title={codes ? labels.recoveryCode : title} onClose={onClose} footer={footer}>
      {codes ? (
        <RecoveryCodes codes={codes} />
      ) : (
        <Fields id={formId} noValidate onSubmit={asked.submit}>
          {children}
          {asked.problem && <Refusal>{asked.problem}</Refusal>}
        </Fields>
      )}
    </Dialog>
  )
}

const CurrentPassword = (props: Omit<ComponentProps<typeof PasswordField>, 'label'>) => (
  <PasswordField label={labels.currentPassword} autoComplete="current-password" {...props} />
)

const Fields = styled.form`
  display: grid;
  gap: 16px;
`

const Scan = styled.div`
  display: grid;
  justify-items: center;
  gap: 8px;
`
