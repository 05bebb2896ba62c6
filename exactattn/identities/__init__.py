"""The identities of softmax and attention: stated, proved, checked."""
