import * as verbs from '@vps/shared/verbs'
import { Component, type ReactNode } from 'react'
import * as text from '@vps/shared/text'
import { RefreshCw, WifiOff } from 'lucide-react'
import { Button } from '../ui/Button'
import { Notice } from '../ui/Notice'
import { Slot } from '../ui/Slot'

/** A bug stops its page only; a chunk that a release removed is one reload away. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean; offline: boolean }> {
  override state = { failed: false, offline: false }

  static getDerivedStateFromError() {
    return { failed: true, offline: !navigator.onLine }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    if (this.state.offline)
      return (
        <Notice picture={<Slot icon={WifiOff} />} title={text.networkError} text="页面没有加载完成，请检查网络后重试。">
          <Button tone="primary" onClick={() => location.reload()}>
            {verbs.retry}
          </Button>
        </Notice>
      )
    return (
      <Notice
        picture={<Slot icon={RefreshCw} bad />}
        title="页面出错了"
        text="页面遇到意外错误，重新加载通常可以解决。"
      >
        <Button tone="primary" onClick={() => location.reload()}>
          重新加载
        </Button>
        <Button onClick={() => location.assign('/')}>{verbs.goHome}</Button>
      </Notice>
    )
  }
}
