import { Component, type ReactNode } from 'react'
import { RefreshCw } from 'lucide-react'
import { Button } from '../ui/Button'
import { Notice } from './Notice'

/** A bug in a page stops that page, not the product; a chunk that a new release removed is one reload away. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <Notice icon={RefreshCw} title="页面出错了" text="页面遇到意外错误，重新加载通常可以解决。">
        <Button tone="primary" onClick={() => location.reload()}>
          重新加载
        </Button>
        <Button onClick={() => location.assign('/')}>返回首页</Button>
      </Notice>
    )
  }
}
