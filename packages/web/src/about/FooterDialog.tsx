import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { graceHours } from '@vps/shared/deadlines'
import * as text from '@vps/shared/text'
import { Copy, Mail, MessageCircle, Users } from 'lucide-react'
import styled from 'styled-components'
import { color, font } from '../theme/tokens'
import { IconButton } from '../ui/Button'
import { copyText } from '../ui/copy'
import { Dialog } from '../ui/Dialog'

export type FooterDialogName = 'privacy' | 'terms' | 'contact'

/** Privacy policy, terms of service, or the ways to reach us. */
export default function FooterDialog({ name, onClose }: { name: FooterDialogName; onClose: () => void }) {
  const { title, width, Content } = dialogs[name]
  return (
    <Dialog title={title} open width={width} onClose={onClose}>
      <Content />
    </Dialog>
  )
}

function Privacy() {
  return (
    <Prose>
      <h3>我们收集的信息</h3>
      <p>
        为了提供服务，我们保存您的用户名、邮箱、订单与支付记录，以及登录时间和网络地址。密码只以不可还原的形式保存。
      </p>
      <h3>信息的使用</h3>
      <p>这些信息只用于开通和管理您的服务器、处理付款、发送与服务有关的通知，以及保障账户安全。</p>
      <h3>信息的共享</h3>
      <p>我们不会出售您的个人信息。除完成支付所必需的信息以及法律要求外，不会向第三方提供。</p>
      <h3>您的权利</h3>
      <p>您可以随时在个人资料中查看和修改您的信息，也可以联系我们查询或删除账户。</p>
    </Prose>
  )
}

function Terms() {
  return (
    <Prose>
      <p>本条款自 2025 年 1 月 1 日起生效。使用本服务即表示您同意以下内容。</p>
      <h3>服务内容</h3>
      <p>我们按照您购买的配置和周期提供云服务器。服务器安装完成并确认可以登录后开始计费。</p>
      <h3>用户责任</h3>
      <p>请妥善保管账户和服务器密码，不得利用服务器从事违反法律法规或影响他人使用的活动。</p>
      <h3>付款与续费</h3>
      <p>
        服务采用预付费方式。开启自动续费后，到期时将从账户余额扣款；余额不足时服务器将暂停，数据保留 {graceHours} 小时。
      </p>
      <h3>退款政策</h3>
      <p>服务开通后 7 天内可以申请退款，我们将在 5-10 个工作日内处理，款项退回账户余额。</p>
      <h3>责任范围</h3>
      <p>请定期备份重要数据。因不可抗力造成的损失，我们将尽力协助恢复。</p>
    </Prose>
  )
}

const channels = [
  { icon: Users, label: 'QQ 群', value: '123456789' },
  { icon: Mail, label: labels.email, value: 'support@example.com' },
  { icon: MessageCircle, label: '微信', value: 'cloud-support' },
]

function Contact() {
  return (
    <List>
      {channels.map(({ icon: Icon, label, value }) => (
        <li key={label}>
          <Icon size={20} strokeWidth={1.75} aria-hidden />
          <div>
            <small>{label}</small>
            <b>{value}</b>
          </div>
          <IconButton label={`复制${label}`} onClick={() => void copyText(value, text.copied)}>
            <Copy size={16} strokeWidth={1.75} />
          </IconButton>
        </li>
      ))}
    </List>
  )
}

const dialogs = {
  privacy: { title: labels.privacy, width: 640, Content: Privacy },
  terms: { title: labels.terms, width: 640, Content: Terms },
  contact: { title: verbs.contactUs, width: 440, Content: Contact },
}

const Prose = styled.div`
  display: grid;
  gap: 8px;
  color: ${color.text2};

  h3 {
    margin-top: 8px;
    ${font.sm}
    color: ${color.text};
  }
`

const List = styled.ul`
  display: grid;

  li {
    display: flex;
    align-items: center;
    gap: 16px;
    padding: 12px 0;

    & + li {
      border-top: 1px solid ${color.line};
    }
  }

  svg {
    color: ${color.primary.text};
  }

  div {
    flex: 1;
    display: grid;
  }

  small {
    ${font.xs}
    color: ${color.text3};
  }

  b {
    overflow-wrap: anywhere;
  }
`
