import { Component, type ComponentChildren } from 'preact';
import { asFailure } from '../query.ts';
import type { Place } from '../router.ts';
import { Failed } from './failed.tsx';

type Props = { at: Place; children: ComponentChildren };
type State = { error: unknown; at: Place | null };

/** An error of a page leaves the rest of the console usable; navigation resets it. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state: State = { error: null, at: null };

  static override getDerivedStateFromError(error: unknown): Partial<State> {
    return { error };
  }

  static override getDerivedStateFromProps({ at }: Props, state: State): State | null {
    return at === state.at ? null : { error: null, at };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return <Failed failure={asFailure(this.state.error)} retry={() => this.setState({ error: null })} />;
  }
}
