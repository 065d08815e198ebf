import { Component, type ComponentChildren } from 'preact';
import { asFailure } from '../query.ts';
import { Failed } from './failed.tsx';

type Props = { children: ComponentChildren };

/** A fault of a page leaves the rest of the console usable. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static override getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return <Failed failure={asFailure(this.state.error)} retry={() => this.setState({ error: null })} />;
  }
}
