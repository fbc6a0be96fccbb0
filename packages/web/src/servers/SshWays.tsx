import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import * as text from '@vps/shared/text'
import { useState } from 'react'
import styled from 'styled-components'
import { color, font, radius } from '../theme/tokens'
import { CopyButton } from '../ui/CopyButton'
import { Segments } from '../ui/Segments'
import { sshCommand } from '../ui/ssh'

const systems = {
  windows: ['Windows', '按 Win + X 打开“终端”或 PowerShell（Windows 10 起自带 SSH），粘贴命令并回车'],
  mac: ['macOS', '在“启动台”中打开“终端”，粘贴命令并回车'],
  linux: ['Linux', '按 Ctrl + Alt + T 打开终端，粘贴命令并回车'],
} as const
type System = keyof typeof systems
const names: System[] = ['windows', 'mac', 'linux']

/** As far as this device says. */
const ownSystem = (): System =>
  /mac|iphone|ipad/i.test(navigator.userAgent)
    ? 'mac'
    : /linux|android/i.test(navigator.userAgent)
      ? 'linux'
      : 'windows'

interface Reached {
  username: string
  ipAddress: string
  sshPort: number
}

/** The command for a shell, and where to type it. */
export function SshWays({ username, ipAddress, sshPort }: Reached) {
  const [system, setSystem] = useState(ownSystem)
  const command = sshCommand(username, ipAddress, sshPort)
  return (
    <Stack>
      <Head>
        <b>{labels.sshCommand}</b>
        <Segments
          label="您的电脑系统"
          name="ssh-system"
          value={system}
          onChange={setSystem}
          options={names.map((name) => [name, systems[name][0]] as const)}
        />
      </Head>
      <Command>
        <code>{command}</code>
        <CopyButton text={command} label={verbs.copyCommand} done={text.sshCopied} />
      </Command>
      <p>{systems[system][1]}；首次连接输入 yes，再输入密码（输入时不显示）。</p>
    </Stack>
  )
}

const Stack = styled.div`
  display: grid;
  gap: 8px;

  p {
    ${font.xs}
    color: ${color.text2};
  }
`

const Head = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 8px;
`

const Command = styled.div`
  display: flex;
  align-items: center;
  gap: 8px;
  padding: 8px 8px 8px 16px;
  border-radius: ${radius.control};
  background: ${color.sunken};
  font-family: ${font.family.mono};

  code {
    flex: 1;
    min-width: 0;
    overflow-wrap: anywhere;
    font-family: inherit;
  }
`
