from peer._C import prelu
